// POS calls at the host, passed on to the till that holds the terminal: whatever message is lost on whatever hop, there is one charge and one answer.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { cloudFlows } from './support/flows.ts';
import { type Matrix, openMatrix } from './support/matrix.ts';

const TEST_MS = 1_200_000;

describe.each([
  ['a terminal with an acquirer of its own', 'OWN'],
  ['a reader', 'READER'],
] as const)('at %s', (_name, kind) => {
  let matrix: Matrix;
  beforeAll(async () => {
    matrix = await openMatrix(kind);
  }, TEST_MS);
  afterAll(() => matrix.close(), TEST_MS);

  it.each(cloudFlows)(
    '$name: one charge and one answer, whatever befalls one of its messages',
    (flow) => matrix.hold(flow),
    TEST_MS,
  );
});
