import { demoAccounts, demoPassword } from './demoAccounts.ts'

interface Files {
  readFileSync(file: string, encoding: 'utf8'): string
}

it('are the accounts that the README names, with their password', () => {
  const { readFileSync } = jest.requireActual<Files>('node:fs')
  const workspace = (expect.getState().testPath ?? '').replace(/[\\/]shared[\\/]contract[\\/].*$/, '')
  const readme = readFileSync(`${workspace}/README.md`, 'utf8')
  expect(readme).toContain(`\`${demoPassword}\``)
  for (const { email } of demoAccounts) expect(readme).toContain(`\`${email}\``)
})
