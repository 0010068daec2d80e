import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { z } from 'zod';
import type { Reading } from './draft.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';

const token = z.union([z.string(), z.object({ content: z.string() })]).nullish();
const schema = z.object({
  chat_template: z.union([z.string(), z.array(z.object({ name: z.string(), template: z.string() })).max(20)]).nullish(),
  bos_token: token,
  eos_token: token,
});

const system = 'Judge whether the Document meets the Query. Answer yes or no.';
const user = '<Query>: {query}\n<Document>: {document}';

/** A template is a program of the folder's: longer ones, and ones that count far, are not run. */
const maxTemplate = 100_000;
const maxRange = 1_000;

/** The question put to a causal language model, in the form of its own chats; the answer's first word is what is read. */
export function yesNoTemplate(contents: FolderContents): Reading<string> {
  const looked = ['tokenizer_config.json', 'chat_template.jinja'];
  const settings = contents.tokenizer === null ? {} : fieldsOf(contents.tokenizer, schema);
  const chat = contents.chatTemplate ?? chosen(settings.chat_template);
  if (chat === null) return { looked };
  if (chat.length > maxTemplate) return { looked, reason: 'the chat template is too long' };
  const tokens = { bos_token: textOf(settings.bos_token), eos_token: textOf(settings.eos_token) };
  const withSystem = render(chat, tokens, [message('system', system), message('user', user)]);
  // Some kinds of models know no system message.
  const rendered = withSystem ?? render(chat, tokens, [message('user', `${system}\n${user}`)]);
  if (rendered === null) return { looked, reason: 'the chat template does not take a system and a user message' };
  const whole = ['{query}', '{document}'].every((place) => rendered.split(place).length === 2);
  return whole ? { value: rendered } : { looked, reason: 'the chat template changes what is put into it' };
}

function chosen(template: z.output<typeof schema>['chat_template']): string | null {
  if (template == null || typeof template === 'string') return template ?? null;
  return template.find(({ name }) => name === 'default')?.template ?? null;
}

function textOf(value: z.output<typeof token>): string {
  return typeof value === 'string' ? value : (value?.content ?? '');
}

interface Message {
  readonly role: string;
  readonly content: string;
}

function message(role: string, content: string): Message {
  return { role, content };
}

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };

function render(
  template: string,
  tokens: Readonly<Record<string, string>>,
  messages: readonly Message[],
): string | null {
  try {
    const names = new Environment();
    const given = { ...tokens, messages, add_generation_prompt: true, enable_thinking: false };
    for (const [name, value] of Object.entries({
      ...constants,
      ...given,
      range: boundedRange(),
      raise_exception: refuse,
    }))
      names.set(name, value);
    const program = parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true }));
    return String(new Interpreter(names).run(program).value);
  } catch {
    return null;
  }
}

function refuse(reason: unknown): never {
  throw new Error(String(reason));
}

/** Jinja's `range`, whose numbers are bounded in all: loops inside loops multiply. */
function boundedRange() {
  let left = maxRange;
  return (first: number, second?: number, step = 1): readonly number[] => {
    const [from, to] = second === undefined ? [0, first] : [first, second];
    const length = Math.max(0, Math.ceil((to - from) / step));
    if (!(length <= left)) throw new RangeError('A chat template counts too far.');
    left -= length;
    return Array.from({ length }, (_, i) => from + i * step);
  };
}
