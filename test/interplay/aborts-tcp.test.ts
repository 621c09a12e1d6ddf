import { describe } from 'vitest';
import { describeAborts } from './support/abort-cases.ts';

describe('over TCP an abort', () => describeAborts('TCP'));
