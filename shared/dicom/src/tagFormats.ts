/** A tag as in the DICOM JSON model (PS3.18 section F.2.2): eight upper-case hexadecimal digits, group first. */
export type Tag = string

/** `00100020` → `x00100020`, the spelling of the dicom-parser library. */
export const toParserKey = (tag: Tag): string => `x${tag.toLowerCase()}`

/** `x00100020` → `00100020`. */
export const fromParserKey = (key: string): Tag => key.slice(1).toUpperCase()

/** `00100020` → 0x00100020. */
export const toTagNumber = (tag: Tag): number => Number.parseInt(tag, 16)

/** 0x00100020 → `00100020`. */
export const fromTagNumber = (value: number): Tag => value.toString(16).toUpperCase().padStart(8, '0')

/** `00100020` → `(0010,0020)`, as the standard prints it for people. */
export const formatTag = (tag: Tag): string => `(${tag.slice(0, 4)},${tag.slice(4)})`

/** Groups of odd number belong to makers (PS3.5 section 7.8). */
export const isPrivateTag = (tag: Tag): boolean => Number.parseInt(tag.slice(0, 4), 16) % 2 === 1
