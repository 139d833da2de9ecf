import type { Secrets } from "../../masking/masking.ts";
import type { JoinedFrame, JoinedNode } from "./joined.ts";

/** What a document took out of its words is gone already; a value that is spread over several elements is not. */
export function withoutSecrets(top: JoinedFrame, secrets: Secrets): JoinedFrame {
  const words = wordsOf(top);
  const masked = secrets.maskAll(words);
  if (masked.every((word, index) => word === words[index])) return top;
  let next = 0;
  const take = (): string => masked[next++] ?? "";
  const frame = (given: JoinedFrame): JoinedFrame => ({ ...given, nodes: given.nodes.map(node) });
  const node = (given: JoinedNode): JoinedNode => {
    const { name, value, options, children, frame: inside } = given;
    // In the order in which they were asked for.
    return {
      ...given,
      ...(name !== undefined && { name: take(), known: name }),
      ...(value !== undefined && { value: take() }),
      ...(options !== undefined && { options: { ...options, labels: options.labels.map(take) } }),
      ...(children !== undefined && { children: children.map(node) }),
      ...(inside !== undefined && { frame: "nodes" in inside ? frame(inside) : inside }),
    };
  };
  return frame(top);
}

function wordsOf(frame: JoinedFrame): readonly string[] {
  const words: string[] = [];
  const add = ({ name, value, options, children, frame: inside }: JoinedNode): void => {
    if (name !== undefined) words.push(name);
    if (value !== undefined) words.push(value);
    words.push(...(options?.labels ?? []));
    children?.forEach(add);
    if (inside !== undefined && "nodes" in inside) inside.nodes.forEach(add);
  };
  frame.nodes.forEach(add);
  return words;
}
