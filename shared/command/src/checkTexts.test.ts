import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compareTexts } from './checkTexts.ts'

const screen = `export const Report = () => (
  <section>
    <h1>Reports of today</h1>
    <p>There is nothing here yet.</p>
  </section>
)
`

function aPart(catalogues: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-texts-'))
  for (const name of ['src/list', 'locales']) mkdirSync(path.join(folder, name), { recursive: true })
  writeFileSync(path.join(folder, 'src/list/Report.tsx'), screen)
  writeFileSync(path.join(folder, 'src/list/Report.test.tsx'), screen.replaceAll('today', 'a test'))
  for (const [name, text] of Object.entries(catalogues)) writeFileSync(path.join(folder, 'locales', name), text)
  return folder
}

describe('the languages of a part [P97]', () => {
  it('are counted: what is said in English still, and what nothing says any more', () => {
    const german = { 'Reports of today': 'Berichte von heute', 'There is nothing here yet.': '', Gone: 'Fort' }
    expect(compareTexts(aPart({ 'de.json': JSON.stringify(german) }))).toEqual({
      problems: [],
      notes: [
        'locales/de.json: 1 of 2 texts are translated',
        '  said in English: “There is nothing here yet.”',
        '  said by nothing any more: “Gone”',
      ],
    })
  })

  it('are none where there is no catalogue', () => {
    expect(compareTexts(aPart({}))).toEqual({ problems: [], notes: [] })
  })

  it('are refused by the name of a file that cannot be read', () => {
    expect(compareTexts(aPart({ 'fr.json': '{' })).problems).toEqual([
      expect.stringMatching(/^locales\/fr\.json is not readable as JSON: /),
    ])
  })
})
