import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Prints the plain closing line `N passed, N failed[, N skipped]` last, whatever colours the terminal has. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const brokenFiles = modules.filter(
      (module) =>
        module.state() === 'failed' && ![...module.children.allTests()].some((t) => t.result().state === 'failed'),
    );
    const count = (state: string) => states.filter((other) => other === state).length;
    const failed = count('failed') + brokenFiles.length + errors.length;
    const skipped = states.length - count('passed') - count('failed');
    process.once('exit', () => {
      process.stdout.write(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    });
  }
}
