import { z } from 'zod';

/** A JSON text, or null when it is none. `{ json: null }` is the text `null`. */
export function parseAnswer(text: string): { readonly json: unknown } | null {
  return attempt(text) ?? attempt(withoutBareNaN(text));
}

function attempt(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * Python's json writes NaN and Infinity as bare words, which is not JSON. Read as null they are found where they stand,
 * so that the error can name the text instead of a position in the answer.
 */
function withoutBareNaN(text: string): string {
  // A string that never ends is taken to the end, so that no text makes this slower than linear.
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|$)|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

/** What a service says went wrong. */
export interface Problem {
  readonly message: string;
  /** A short name like `insufficient_quota`; empty where there is none. */
  readonly code: string;
}

const word = z.union([z.string(), z.number().transform(String)]);
const optionalWord = word.optional().catch(undefined);

/** OpenAI: `error.message`; Ollama and TEI: `error`; Cohere and TEI's OpenAI form: `message`; Jina and FastAPI: `detail`. */
const problemSchema = z.object({
  error: z
    .union([z.string(), z.object({ message: optionalWord, code: optionalWord, type: optionalWord })])
    .optional()
    .catch(undefined),
  message: optionalWord,
  detail: z
    .union([z.string(), z.array(z.object({ msg: optionalWord })).min(1)])
    .optional()
    .catch(undefined),
  code: optionalWord,
  type: optionalWord,
  error_type: optionalWord,
});

/** The message of an error's body in any of the forms that services use; a body of another form speaks for itself. */
export function problemOf(body: string): Problem {
  const parsed = problemSchema.safeParse(parseAnswer(body)?.json);
  if (!parsed.success) return { message: body.trim(), code: '' };
  const { error, message, detail, code, type, error_type: errorType } = parsed.data;
  const inside = typeof error === 'object' ? error : { message: error, code: undefined, type: undefined };
  const details = typeof detail === 'object' ? detail.map(({ msg }) => msg ?? '').join('; ') : detail;
  return {
    message: inside.message ?? message ?? details ?? body.trim(),
    code: inside.code ?? inside.type ?? code ?? type ?? errorType ?? '',
  };
}
