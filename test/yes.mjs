/** An approver as a program: once to what changes something, no to places. */

let question = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (part) => {
  question += part;
});
process.stdin.on("end", () => {
  console.log(JSON.parse(question).about === "effect" ? "once" : "no");
});
