import { describe } from 'vitest';
import { describeFaults } from './support/fault-cases.ts';

describe('over TCP the till and the terminal agree on what was charged under the rule', () => describeFaults('TCP'));
