import { describe } from 'vitest';
import { describeFaults } from './support/fault-cases.ts';

describe('over a serial line the till and the terminal agree on what was charged under the rule', () =>
  describeFaults('PTY'));
