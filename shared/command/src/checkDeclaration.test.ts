import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findDeclarationProblems } from './checkDeclaration.ts'

const right = {
  name: 'remote-report',
  title: 'Report',
  version: '1.0.0',
  routes: [{ prefix: '/report', guard: 'session' }],
  navigation: [
    { alias: 'Report', routerLink: '/report', fontAwesomeClass: 'fa-list', frontEndModule: true, order: 80 },
  ],
  cards: [],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
}

function problemsOf(text: string): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-declaration-'))
  writeFileSync(path.join(folder, 'remote.json'), text)
  return findDeclarationProblems(folder, 'remote-report')
}
const problemsOfChanged = (change: object) => problemsOf(JSON.stringify({ ...right, ...change }))

describe('the declaration of a part [P97]', () => {
  it('is fine as it is made', () => {
    expect(problemsOfChanged({})).toEqual([])
    expect(problemsOfChanged({ navigation: [{ ...right.navigation[0], routerLink: '/report/open' }] })).toEqual([])
  })

  it('that is not JSON is named, with the place', () => {
    expect(problemsOf('{ "name": "remote-report", }')).toEqual([
      expect.stringMatching(/^remote\.json is not readable as JSON: .*position \d+.* Mend that place of the file\.$/),
    ])
  })

  it('says which property was meant by a misspelt one, and what is known where none is near', () => {
    const { navigation, ...rest } = right
    expect(problemsOf(JSON.stringify({ ...rest, navigaton: navigation }))).toContain(
      'remote.json: navigaton: Nothing is called navigaton. Did you mean navigation?',
    )
    expect(problemsOfChanged({ navigation: [{ ...navigation[0], modul: 'Report' }] })).toEqual([
      'remote.json: navigation.0.modul: Nothing is called modul. Did you mean module?',
    ])
    expect(problemsOfChanged({ needs: { ...right.needs, somethingElse: '1' } })).toEqual([
      'remote.json: needs.somethingElse: Nothing is called somethingElse. Take it out; known are contract, kit.',
    ])
  })

  it('is refused where a link of the shell leads to none of its routes', () => {
    expect(problemsOfChanged({ navigation: [{ ...right.navigation[0], routerLink: '/raport' }] })).toEqual([
      'remote.json: navigation.0.routerLink: /raport is under none of its routes (/report). Correct it, or add the route.',
    ])
    const command = { title: 'Add a report', routerLink: '/reporting/add', needs: 'session' }
    expect(problemsOfChanged({ commands: [command] })).toEqual([
      'remote.json: commands.0.routerLink: /reporting/add is under none of its routes (/report). Correct it, or add the route.',
    ])
  })

  it('has the name of its folder', () => {
    expect(problemsOfChanged({ name: 'remote-other' })).toEqual([
      'remote.json names remote-other, but its folder is remote-report. Use one name.',
    ])
  })
})
