/** Every catalogue of the language, by its file: one part of the build, so that one request brings them all. */
export const catalogues = import.meta.glob<Record<string, unknown>>(
  ['./fr/*.json', '../../app/contract/doctor/fr.json'],
  { eager: true, import: 'default' },
);
