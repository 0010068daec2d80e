/**
 * What the page recomputes when tasks are filtered, by the rules of board.ts, as text for the inline script; it knows
 * no document, so that a test runs it against `buildBoard` on the same tasks. A cell is [value, low, high, min, max, n]
 * or null. Means that were not resampled have no interval (null, null).
 */
export const boardMath = `
function boardMath(data) {
  const all = data.suites.length;

  function mean(cells) {
    const known = cells.filter((cell) => cell !== null);
    if (known.length === 0) return null;
    const over = (part) => known.reduce((sum, cell) => sum + cell[part], 0) / known.length;
    return [over(0), null, null, over(3), over(4), known.length];
  }

  const pick = (byMeasure, measure) => (byMeasure === null ? null : byMeasure[measure]);

  // One suite: its own interval is the interval of both means. All suites: as stored. Else recomputed, without one.
  function micro(system, measure, suites) {
    if (suites.length === all) return pick(system.micro, measure);
    if (suites.length === 1) return pick(system.suites[suites[0]], measure);
    const cells = [];
    data.tasks.forEach((task, i) => {
      if (suites.includes(task.suite)) cells.push(pick(system.tasks[i], measure));
    });
    return mean(cells);
  }

  function macro(system, measure, suites) {
    if (suites.length === all) return pick(system.macro, measure);
    const cells = suites.map((suite) => pick(system.suites[suite], measure));
    if (suites.length !== 1 || cells[0] === null) return mean(cells);
    return cells[0].slice(0, 5).concat(1);
  }

  // scope is 'micro', 'macro', 'suite:3' or 'task:12'.
  function estimate(system, scope, measure, suites) {
    const at = Number(scope.split(':')[1]);
    if (scope.startsWith('suite:')) return pick(system.suites[at], measure);
    if (scope.startsWith('task:')) return pick(system.tasks[at], measure);
    return scope === 'macro' ? macro(system, measure, suites) : micro(system, measure, suites);
  }

  // How many of the tasks that the scope is made of the system lacks; imported means may lack a measure of a task.
  function lacking(system, scope, measure, suites) {
    const at = Number(scope.split(':')[1]);
    const counts = (task, i) =>
      scope.startsWith('task:') ? i === at : scope.startsWith('suite:') ? task.suite === at : suites.includes(task.suite);
    const lacks = (byMeasure) => byMeasure === null || (!system.ranked && byMeasure[measure] === null);
    return data.tasks.filter((task, i) => counts(task, i) && lacks(system.tasks[i])).length;
  }

  // Where each system stands by value, from 1, imported ones among ours; null where it lacks a task of the scope or has no value.
  function places(scope, measure, suites) {
    return competition(() => true, scope, measure, suites);
  }

  // Competition ranks: the same without imported means, which are compared with nothing.
  function ranks(scope, measure, suites) {
    return competition((system) => system.ranked, scope, measure, suites);
  }

  function competition(takesPart, scope, measure, suites) {
    const values = data.systems.map((system) => {
      if (!takesPart(system) || lacking(system, scope, measure, suites) > 0) return null;
      const cell = estimate(system, scope, measure, suites);
      return cell === null ? null : cell[0];
    });
    const better = (value) => values.filter((other) => other !== null && other - value > 1e-12).length;
    return values.map((value) => (value === null ? null : better(value) + 1));
  }

  return { estimate, lacking, places, ranks };
}
`;
