import { describe } from 'vitest';
import { describeAborts } from './support/abort-cases.ts';

describe('over a serial line an abort', () => describeAborts('PTY'));
