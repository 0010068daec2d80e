/** The page's behaviour: reads the form, computes by `boardMath`, rewrites what the static page holds. No dependency. */
export const pageScript = String.raw`
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const math = boardMath(data);
  const form = document.getElementById('controls');
  const table = document.getElementById('board');
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.querySelectorAll('tr[data-system]')];
  const heat = document.getElementById('heat');
  const dash = '\u2013';
  let sort = { key: 'rank', down: false };

  const checked = (name) => [...form.querySelectorAll('input[name=' + name + ']:checked')].map((box) => Number(box.value));
  const fixed = (value) => value.toFixed(3);

  function read() {
    const suites = checked('suite');
    for (const option of form.elements.scope.options) {
      const at = Number(option.value.split(':')[1]);
      const suite = option.value.startsWith('suite:') ? at : option.value.startsWith('task:') ? data.tasks[at].suite : null;
      option.disabled = suite !== null && !suites.includes(suite);
      if (option.disabled && option.selected) form.elements.scope.value = 'micro';
    }
    return {
      suites, families: checked('family'), measure: Number(form.elements.measure.value),
      scope: form.elements.scope.value, text: form.elements.text.value.toLowerCase(),
    };
  }

  const isShown = (state, system) =>
    state.families.includes(system.family) && system.id.toLowerCase().includes(state.text);
  const scopeOf = (state, key) => (key === 'task' ? (state.scope.startsWith('task:') ? state.scope : null) : key);

  // What a column sorts by; the larger the better for scores, the smaller the better for the rest.
  function sortValue(state, places, place, key) {
    const system = data.systems[place];
    if (key === 'rank') return places[place];
    if (key === 'group') return isStored(state) ? system.group : null;
    if (key === 'system') return system.place;
    if (key === 'family') return system.family;
    if (key.startsWith('cost:')) return system.costs[Number(key.slice(5))];
    const scope = scopeOf(state, key);
    const cell = scope === null ? null : math.estimate(system, scope, state.measure, state.suites);
    return cell === null ? null : cell[0];
  }
  const isScore = (key) => /^(micro|macro|suite|task)/.test(key);

  // Groups were made for one view only: all tasks, micro mean, primary measure.
  const isStored = (state) =>
    state.measure === data.primary && state.scope === 'micro' && state.suites.length === data.suites.length;

  function scaleOf(cells) {
    const ends = cells.flatMap((c) => (c === null ? [] : c[1] === null ? [c[0]] : [c[1], c[2]]));
    if (ends.length === 0) return { from: 0, to: 1 };
    const from = Math.floor(Math.min(...ends) * 20) / 20;
    return { from, to: Math.max(from + 0.05, Math.ceil(Math.max(...ends) * 20) / 20) };
  }

  function drawCell(td, cell, scale) {
    const [number, svg, ties] = td.children;
    const at = (x) => (2 + (80 * (x - scale.from)) / (scale.to - scale.from)).toFixed(1);
    const whole = cell !== null && cell[1] !== null;
    const label = cell === null ? 'undefined' : whole ? '95 % interval ' + fixed(cell[1]) + ' to ' + fixed(cell[2]) : 'no interval for this selection';
    td.classList.toggle('none', cell === null);
    number.textContent = cell === null ? dash : fixed(cell[0]);
    svg.setAttribute('aria-label', label);
    svg.querySelector('title').textContent = label;
    svg.querySelector('.ci').setAttribute('d', whole ? 'M' + at(cell[1]) + ' 6H' + at(cell[2]) : '');
    svg.querySelector('.value').setAttribute('d', cell === null ? '' : 'M' + at(cell[0]) + ' 1V11');
    const range = cell !== null && fixed(cell[3]) !== fixed(cell[4]);
    ties.textContent = range ? 'ties ' + fixed(cell[3]) + dash + fixed(cell[4]) : '';
  }

  function drawColumn(state, head, column) {
    const key = head.dataset.key;
    const scope = scopeOf(state, key);
    const hidden = scope === null || (key.startsWith('suite:') && !state.suites.includes(Number(key.slice(6))));
    const cells = data.systems.map((system) => (hidden ? null : math.estimate(system, scope, state.measure, state.suites)));
    const scale = scaleOf(cells.filter((cell, i) => isShown(state, data.systems[i])));
    head.hidden = hidden;
    head.classList.toggle('chosen', scope === state.scope);
    if (key === 'task' && !hidden) head.firstElementChild.textContent = form.elements.scope.selectedOptions[0].textContent;
    if (!hidden) head.querySelector('.scale').textContent = scale.from.toFixed(2) + dash + scale.to.toFixed(2);
    for (const row of rows) {
      const td = row.cells[column];
      td.hidden = hidden;
      td.classList.toggle('chosen', scope === state.scope);
      drawCell(td, cells[row.dataset.system], scale);
    }
  }

  function drawRows(state, ranks) {
    const places = math.places(state.scope, state.measure, state.suites);
    const key = (row) => sortValue(state, places, Number(row.dataset.system), sort.key);
    const order = rows.map((row, i) => ({ row, i, value: key(row) })).sort((a, b) =>
      (a.value === null) - (b.value === null) || (sort.down ? b.value - a.value : a.value - b.value) || a.i - b.i);
    const [ranked, unranked] = [document.getElementById('ranked'), document.getElementById('unranked')];
    let shown = 0;
    for (const { row } of order) {
      const place = Number(row.dataset.system);
      const lacks = math.lacking(data.systems[place], state.scope, state.measure, state.suites) > 0;
      const shared = ranks.filter((rank) => rank === ranks[place]).length > 1;
      row.querySelector('.rank').textContent = ranks[place] === null ? dash : ranks[place] + (shared ? '=' : '');
      row.querySelector('.group').textContent = isStored(state) && data.systems[place].group !== null ? data.systems[place].group : dash;
      row.hidden = !isShown(state, data.systems[place]);
      if (!row.hidden) shown++;
      (lacks ? unranked : ranked).append(row);
    }
    unranked.hidden = ![...unranked.querySelectorAll('tr[data-system]')].some((row) => !row.hidden);
    return shown;
  }

  function drawHeat(state) {
    for (const head of heat.tHead.rows[0].querySelectorAll('[data-system]')) head.hidden = !isShown(state, data.systems[head.dataset.system]);
    for (const row of heat.tBodies[0].rows) {
      const at = Number(row.dataset.task);
      const values = data.systems.map((system) => math.estimate(system, 'task:' + at, state.measure, state.suites));
      const best = Math.max(...values.map((cell, i) => (cell === null || !isShown(state, data.systems[i]) ? -Infinity : cell[0])));
      row.hidden = !state.suites.includes(data.tasks[at].suite);
      for (const td of row.querySelectorAll('td[data-system]')) {
        const cell = values[td.dataset.system];
        td.hidden = !isShown(state, data.systems[td.dataset.system]);
        td.textContent = cell === null ? dash : fixed(cell[0]);
        td.classList.toggle('best', cell !== null && best - cell[0] <= 1e-12);
        td.style.setProperty('--v', cell === null ? 0 : Math.min(1, Math.max(0, cell[0])));
      }
    }
  }

  function draw() {
    const state = read();
    const ranks = math.ranks(state.scope, state.measure, state.suites);
    heads.forEach((head, column) => {
      if (isScore(head.dataset.key)) drawColumn(state, head, column);
      if (head.dataset.key === sort.key) head.setAttribute('aria-sort', sort.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    const shown = drawRows(state, ranks);
    drawHeat(state);
    const tasks = data.tasks.filter((task) => state.suites.includes(task.suite)).length;
    document.getElementById('measure-name').textContent = form.elements.measure.selectedOptions[0].textContent;
    document.getElementById('shown').textContent =
      shown + ' of ' + data.systems.length + ' systems, ' + tasks + ' of ' + data.tasks.length + ' tasks' +
      (tasks === 0 ? ': choose at least one suite.' : '.');
  }

  table.tHead.addEventListener('click', (event) => {
    const head = event.target.closest('button') && event.target.closest('th');
    if (!head) return;
    const key = head.dataset.key;
    sort = { key, down: sort.key === key ? !sort.down : isScore(key) };
    draw();
  });
  form.addEventListener('input', (event) => {
    if (event.target.name !== 'family' && event.target.id !== 'text') sort = { key: 'rank', down: false };
    draw();
  });
  form.addEventListener('reset', () => setTimeout(() => { sort = { key: 'rank', down: false }; draw(); }));
  form.addEventListener('submit', (event) => event.preventDefault());
  document.documentElement.classList.add('js');
  form.hidden = false;
  draw();
})();
`;
