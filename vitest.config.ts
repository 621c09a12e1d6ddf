import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Nothing is started before a test asks for it.
    globalSetup: ['test/support/postgres-setup.ts'],
    // Crash and end-to-end tests start real processes; a shared two-core machine needs room.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', ['json', { outputFile: '.setup/test-results.json' }]],
  },
});
