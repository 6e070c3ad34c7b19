import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const toFile = (stateFolder: string): string => path.join(stateFolder, 'station-name')
/** A renewed API token has its day behind the name, because names are unique and both are good for a moment. */
const day = / \d{4}-\d\d-\d\d$/

/** As an administrator has named this machine; undefined where nobody has. */
export function readStationName(stateFolder: string): string | undefined {
  try {
    return readFileSync(toFile(stateFolder), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

export function keepStationName(stateFolder: string, name: string): void {
  writeFileSync(toFile(stateFolder), name.replace(day, ''), { mode: 0o600 })
}
