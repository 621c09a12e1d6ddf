// At a terminal with an acquirer of its own: whatever message is lost on whatever hop, there is one charge and one answer.
import { afterAll, beforeAll, it } from 'vitest';
import { flows } from './support/flows.ts';
import { type Matrix, openMatrix } from './support/matrix.ts';

const TEST_MS = 1_200_000;
let matrix: Matrix;
beforeAll(async () => {
  matrix = await openMatrix('OWN');
}, TEST_MS);
afterAll(() => matrix.close(), TEST_MS);

it.each(flows)(
  '$name: one charge and one answer, whatever befalls one of its messages',
  (flow) => matrix.hold(flow),
  TEST_MS,
);
