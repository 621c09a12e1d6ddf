/** Fewest and most digits of a card number (ISO/IEC 7812). */
const minDigits = 13;
const maxDigits = 19;

/** How card numbers of the schemes begin. A run of just the right length needs no such beginning; a part of a longer run does. */
const schemePrefix = /^(?:4|5[0-8]|220[0-4]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|3[4-9]|30[0-5]|309|6|8[12]|9792|1[38])/;

/** Whether a run of digits is, or holds, a card number, read forwards or backwards. */
export function holdsCardNumber(digits: string): boolean {
  return isOrHolds(digits) || isOrHolds(Array.from(digits).reverse().join(''));
}

function isOrHolds(digits: string): boolean {
  if (
    digits.length >= minDigits &&
    digits.length <= maxDigits &&
    digits[0] !== '0' &&
    passesLuhn(digits, 0, digits.length)
  )
    return true;
  for (let start = 0; start + minDigits <= digits.length; start += 1) {
    if (!schemePrefix.test(digits.slice(start, start + 4))) continue;
    const longest = Math.min(maxDigits, digits.length - start);
    for (let length = minDigits; length <= longest; length += 1) {
      if (passesLuhn(digits, start, start + length)) return true;
    }
  }
  return false;
}

const zero = 48;

function passesLuhn(digits: string, start: number, end: number): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let index = end - 1; index >= start; index -= 1) {
    const digit = digits.charCodeAt(index) - zero;
    const value = isDoubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}
