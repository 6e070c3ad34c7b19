import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { hotEdits, viewerEdit } from './hotEdits.ts'

// The drill itself runs for two minutes in CI only; a file that was moved is found here at once.
test.each([...hotEdits, viewerEdit])('the edit of $part finds its words once in $file', ({ file, from }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2)
})
