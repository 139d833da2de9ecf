import { at, atAs, say } from "./elements.ts";
import { post } from "./session.ts";

const WRONG = 422;

/** What a person adds to the task: a button, the field beside it, and what came of it. */
export function adds(button: string, field: string, path: string, name: string, says: string): void {
  const pressed = atAs(button, HTMLButtonElement);
  pressed.addEventListener("click", async (event) => {
    const written = at(field);
    if (!(written instanceof HTMLInputElement || written instanceof HTMLTextAreaElement)) return;
    const value = written.value.trim();
    if (!event.isTrusted || value === "") return;
    pressed.disabled = true;
    try {
      const problem = await problemOf(await post(path, { [name]: value }));
      say(at(says), problem === null ? `Added: ${value}` : `Not added: ${problem}`);
      if (problem === null) written.value = "";
    } catch {
      say(at(says), "Not added: the session does not reply.");
    }
    pressed.disabled = false;
  });
}

async function problemOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  if (response.status !== WRONG) return "it could not be added";
  return ((await response.json()) as { readonly problem: string }).problem;
}
