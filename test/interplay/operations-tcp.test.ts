import { describe } from 'vitest';
import { describeOperations } from './support/operation-cases.ts';

describe('over TCP the book holds once what the till did', () => describeOperations('TCP'));
