import type { Baseline } from './baseline.js';

type StoredSystem = Baseline['systems'][number];

/** Its text: a line per task, and per system, task and measure, so that a diff shows what moved. */
export function baselineText(baseline: Baseline): string {
  const { tasks, systems, ...head } = baseline;
  const lines = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  const list = (name: string, items: readonly string[], end: string) => [
    `  "${name}": [`,
    items.join(',\n'),
    `  ]${end}`,
  ];
  return `${[
    '{',
    ...lines,
    ...list(
      'tasks',
      tasks.map((task) => `    ${JSON.stringify(task)}`),
      ',',
    ),
    ...list('systems', systems.map(systemText), ''),
    '}',
  ].join('\n')}\n`;
}

function systemText({ id, tasks }: StoredSystem): string {
  return `    {"id": ${JSON.stringify(id)}, "tasks": [\n${tasks.map(storedTaskText).join(',\n')}\n    ]}`;
}

function storedTaskText({ id, costs, values }: StoredSystem['tasks'][number]): string {
  const measures = Object.entries(values).map(
    ([name, units]) => `       ${JSON.stringify(name)}: ${JSON.stringify(units)}`,
  );
  const inner = measures.length === 0 ? '{}' : `{\n${measures.join(',\n')}}`;
  return `      {"id": ${JSON.stringify(id)}, "costs": ${JSON.stringify(costs)}, "values": ${inner}}`;
}
