import { Secret } from '../domain/secret.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { nowIso } from './console-deps.ts';
import { hashPin } from './pins.ts';

/** The ready administrator of a training till. The PIN is no secret: it opens nothing where real money can move. */
export const trainingName = 'Training';
export const trainingPin = '0000';

/** Makes the ready administrator, the first time that a training till starts. */
export async function ensureTrainingStaff({ journal, clock, ids, settings }: ConsoleDeps): Promise<void> {
  if (!settings.training || journal.listStaff().some((member) => member.trainingOnly)) return;
  const pinHash = await hashPin(new Secret(trainingPin), ids);
  const createdAt = nowIso(clock);
  const staffId = ids.next();
  journal.commit((unit) => {
    unit.saveStaff({
      staffId,
      name: trainingName,
      role: 'ADMIN',
      pinHash,
      wrongPins: 0,
      createdAt,
      trainingOnly: true,
    });
    unit.appendAudit({
      at: createdAt,
      actor: 'system',
      action: 'STAFF_CREATED',
      subjectId: staffId,
      text: 'The ready administrator of training.',
    });
  });
}
