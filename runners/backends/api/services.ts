export const apiNames = ['openai', 'ollama', 'tei', 'cohere', 'jina'] as const;
export type ApiName = (typeof apiNames)[number];

/** What is known of a kind of service before anything is asked of it. */
export interface Service {
  readonly name: ApiName;
  /** As it stands in sentences. */
  readonly title: string;
  /** The environment variable of the address; null where the address is part of the model's name. */
  readonly hostVariable: string | null;
  /** Where the service is when the variable says nothing. */
  readonly defaultUrl: string | null;
  readonly keyVariable: string | null;
  /** Whether the default address answers nobody without a key. */
  readonly key: 'needed' | 'optional' | 'none';
  /** Requests at the same time. */
  readonly concurrency: number;
  /** For one try, headers and body; below the 300 s after which Node's own fetch gives up. */
  readonly timeoutMs: number;
  /** What to do when the service does not know the model. */
  readonly modelHelp: (model: string) => string;
}

/** One model at a time on one machine: more requests at once only wait there. */
const selfHosted = { concurrency: 2, timeoutMs: 280_000 };
const hosted = { concurrency: 4, timeoutMs: 120_000 };

export const services: Readonly<Record<ApiName, Service>> = {
  openai: {
    name: 'openai',
    title: 'OpenAI',
    hostVariable: 'OPENAI_BASE_URL',
    defaultUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    key: 'needed',
    ...hosted,
    modelHelp: () => 'Check the name of the model, and that OPENAI_BASE_URL ends in /v1.',
  },
  ollama: {
    name: 'ollama',
    title: 'Ollama',
    hostVariable: 'OLLAMA_HOST',
    defaultUrl: 'http://127.0.0.1:11434',
    keyVariable: null,
    key: 'none',
    ...selfHosted,
    modelHelp: (model) => `Fetch it with \`ollama pull ${model}\`, or see \`ollama list\` for what is there.`,
  },
  tei: {
    name: 'tei',
    title: 'Text Embeddings Inference',
    hostVariable: null,
    defaultUrl: null,
    keyVariable: 'TEI_API_KEY',
    key: 'optional',
    ...selfHosted,
    modelHelp: () => 'Write the address of the server itself, without /embed: `tei:http://localhost:8080`.',
  },
  cohere: {
    name: 'cohere',
    title: 'Cohere',
    hostVariable: 'COHERE_BASE_URL',
    defaultUrl: 'https://api.cohere.com',
    keyVariable: 'COHERE_API_KEY',
    key: 'needed',
    ...hosted,
    modelHelp: () => 'Check the name of the model, and that COHERE_BASE_URL is the host alone, without /v2.',
  },
  jina: {
    name: 'jina',
    title: 'Jina',
    hostVariable: 'JINA_BASE_URL',
    defaultUrl: 'https://api.jina.ai/v1',
    keyVariable: 'JINA_API_KEY',
    key: 'needed',
    ...hosted,
    modelHelp: () => 'Check the name of the model, and that JINA_BASE_URL ends in /v1.',
  },
};
