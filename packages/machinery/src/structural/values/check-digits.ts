const card =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!card.test(digits)) return false;
  let sum = 0;
  for (const [position, digit] of Array.from(digits).toReversed().entries()) {
    const value = position % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += value >= 10 ? (value % 10) + 1 : value;
  }
  return sum % 10 === 0;
}

export function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (const [position, digit] of Array.from(digits).entries())
    sum += (position + 1) * (digit === "X" ? 10 : Number(digit));
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let position = 0; position < 12; position++) sum += Number(digits[position]) * (position % 2 === 0 ? 1 : 3);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}
