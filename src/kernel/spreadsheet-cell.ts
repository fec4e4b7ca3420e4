/** A spreadsheet takes what begins so for a formula: a cell, or a part of it where lines are split at semicolons. */
const FORMULA = /(^|;)(?=["']*[=+\-@\t\r])/g;

/** The text with an apostrophe before each of its parts that a spreadsheet could take for a formula. */
export const spreadsheetCell = (text: string): string => text.replace(FORMULA, "$1'");
