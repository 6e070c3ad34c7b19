import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeConformanceStatement } from '../../server/src/modules/dicomweb/conformanceStatement.ts'
import { readText, root } from '../workspace/files.ts'

const file = 'docs/conformance.md'

/** docs/conformance.md says what the server's tables of DICOMweb say, no more and no less. */
export function checkConformanceStatement(options: { isFixing?: boolean } = {}): string[] {
  const expected = writeConformanceStatement()
  if (existsSync(join(root, file)) && readText(file) === expected) return []
  if (!options.isFixing)
    return [`${file} does not say what DICOMweb does here. Run npm run check -- --fix, and read what has changed.`]
  writeFileSync(join(root, file), expected)
  return []
}
