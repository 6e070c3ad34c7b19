import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toPropertyList, toTask, toUnit, windowsWord, type Service } from './definitions.ts'

const service: Service = {
  title: 'Uploader of the Data Management Platform',
  command: [process.execPath, 'window', '--no-open', '--state', '/var/lib/my scans/100 % "new" $HOME\\x'],
  isOfMachine: true,
}

describe('the service of the uploader', () => {
  it('is a unit that systemd accepts, with words as they are [P56]', () => {
    const unit = toUnit(service)
    expect(unit).toContain('"/var/lib/my scans/100 %% \\"new\\" $$HOME\\\\x"')
    const verify = '/usr/bin/systemd-analyze'
    const folder = mkdtempSync(path.join(tmpdir(), 'uploader-service-'))
    const file = path.join(folder, 'dmp-uploader.service')
    writeFileSync(file, unit)
    // Where there is systemd, it judges the unit itself; a sentence of its own is a fault of the unit.
    const said = existsSync(verify) ? execFileSync(verify, ['verify', file], { encoding: 'utf8', stdio: 'pipe' }) : ''
    rmSync(folder, { recursive: true })
    expect(said).toBe('')
  })

  it('is a property list of launchd and a task of Windows, of the same description [P56]', () => {
    const list = toPropertyList(service)
    const task = toTask({ ...service, isOfMachine: false }, 'CLINIC\\ann')
    expect(list).toContain('<string>/var/lib/my scans/100 % &quot;new&quot; $HOME\\x</string>')
    expect(task).toContain('<UserId>CLINIC\\ann</UserId><LogonType>InteractiveToken</LogonType>')
    expect(task).toContain('&quot;--no-open&quot;')
    for (const text of [list, task]) {
      const opened = [...text.matchAll(/<([A-Za-z]+)(?: [^>]*[^/])?>/g)].map((match) => match[1]).sort()
      const closed = [...text.matchAll(/<\/([A-Za-z]+)>/g)].map((match) => match[1]).sort()
      expect(opened).toEqual(closed)
    }
  })

  it('quotes words as Windows reads them [P56]', () => {
    expect(windowsWord('C:\\My Scans\\')).toBe('"C:\\My Scans\\\\"')
    expect(windowsWord('a "b"')).toBe('"a \\"b\\""')
  })
})
