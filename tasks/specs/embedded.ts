import { taskId } from '../../core/ids.js';
import { bindSource, embeddedSpecs } from '../sources/index.js';
import type { SourceFacts, TaskSpec } from '../types.js';

/** A task that is known before it is built. */
export interface KnownTask extends TaskSpec {
  readonly suite: string;
}

export const embeddedSuites = [
  'embedded-en',
  'embedded-code',
  'embedded-multilingual',
  'embedded-crosslingual',
] as const;
type EmbeddedSuite = (typeof embeddedSuites)[number];

/** All that the embedded sources give, suite by suite. No package has to be installed for the list. */
export const embeddedTasks: readonly KnownTask[] = inSuiteOrder(embeddedSpecs().map(taskOf));

function taskOf(source: string): KnownTask {
  const { language, documentLanguage, domain, licence } = bindSource(source).facts;
  const suite = suiteOf({ language, documentLanguage, domain });
  const id = taskId(`${suite}/${source.slice('npm:'.length)}`);
  const languages = documentLanguage === undefined ? { language } : { language, documentLanguage };
  return { id, suite, source, ...languages, domain, licence };
}

/** The suite follows from what a source is, so that a new one needs no line here. */
function suiteOf(
  facts: Pick<SourceFacts, 'language' | 'domain'> & { documentLanguage: string | undefined },
): EmbeddedSuite {
  if (facts.documentLanguage !== undefined) return 'embedded-crosslingual';
  if (facts.domain === 'code') return 'embedded-code';
  return facts.language === 'en' || facts.language.startsWith('en-') ? 'embedded-en' : 'embedded-multilingual';
}

function inSuiteOrder(tasks: readonly KnownTask[]): readonly KnownTask[] {
  return embeddedSuites.flatMap((suite) => tasks.filter((task) => task.suite === suite));
}
