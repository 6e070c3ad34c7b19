/** Windows keeps them for devices, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** With a folder of downloads and the folder of the zip before it, a path stays below the 259 letters of Windows. */
const maxLetters = 160

const isPortable = (name: string): boolean =>
  name.length <= maxLetters &&
  name.split('/').every((part) => /^[\w-](?:[\w.-]*[\w-])?$/.test(part) && !reserved.test(part))

/**
 * Names that every system unpacks as they are: plain letters, so that no question of encoding arises, slashes between
 * folders, nothing that Windows reserves or cuts off, and no two that differ in case alone. Throws for any other: names
 * are made here, never taken from patients or files.
 */
export function assertPortableNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isPortable(name))
  if (wrong !== undefined) throw new TypeError(`Not every system can unpack a file named ${JSON.stringify(wrong)}.`)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new TypeError('Two files of a zip have the same name, in capitals or not.')
}
