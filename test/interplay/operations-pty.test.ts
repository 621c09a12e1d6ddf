import { describe } from 'vitest';
import { describeOperations } from './support/operation-cases.ts';

describe('over a serial line the book holds once what the till did', () => describeOperations('PTY'));
