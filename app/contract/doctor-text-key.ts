import type en from './doctor/en.json';

/** A text of the browser doctor, as the catalogues name it: `doctor:portOwn`. */
export type DoctorTextKey = `doctor:${keyof typeof en}`;
