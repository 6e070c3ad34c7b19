/** Each by itself, so that a part has those that it uses. */
export * as limits from './limitNumbers.ts'
