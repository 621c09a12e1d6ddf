/** Every catalogue of the language, by its file: one part of the build, so that one request brings them all. */
export const catalogues = import.meta.glob<Record<string, unknown>>(
  ['./it/*.json', '../../app/contract/doctor/it.json'],
  { eager: true, import: 'default' },
);
