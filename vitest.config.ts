import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2,
    maxConcurrency: 2,
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/reporter.ts'],
  },
});
