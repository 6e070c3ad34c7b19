import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { status } from '@dmp/dimse'
import { Refusals } from '../Refusals.ts'
import { Commitments } from './Commitments.ts'
import { toGateway } from './gatewaySettings.ts'
import { Ledger } from './Ledger.ts'
import { Spool, toFolderName } from './Spool.ts'

let folder: string
let spool: Spool
let ledger: Ledger
const commitments = (): Commitments => new Commitments(path.join(folder, 'commitments'), spool, ledger)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-commitments-'))
  spool = new Spool(folder)
  ledger = new Ledger(path.join(folder, 'ledger'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const object = (sopInstanceUID: string, sopClassUID = '1.2.3') => ({ sopInstanceUID, sopClassUID })
async function* bytes() {
  yield Buffer.from('abc')
}
const partners = [
  { aeTitle: 'CT', address: '127.0.0.1', port: 104 },
  { aeTitle: 'QUIET', address: '127.0.0.1' },
]

describe('what is said to a device that asks', () => {
  it('waits for the server, and then names what is there, what never came and what came as something else [P71]', async () => {
    await spool.keep('CT', object('1.1'), bytes())
    const [file = ''] = readdirSync(path.join(spool.folder, toFolderName('CT')))
    ledger.note(object('1.2', '1.2.4'))
    const request = { transactionUID: '1.9', references: ['1.1', '1.2', '1.3'].map((uid) => object(uid)) }
    const asked = commitments()
    expect(asked.judge(request)).toBeUndefined()
    ledger.note(object('1.1'))
    spool.settle(path.join(spool.folder, toFolderName('CT'), file), 'duplicate', undefined)
    expect([spool.waiting, spool.waitingOf('CT'), spool.isWaiting('1.1')]).toEqual([0, 0, false])
    // The server has it: it lies nowhere any more.
    expect([readdirSync(path.join(spool.folder, toFolderName('CT'))), new Refusals(folder).list()]).toEqual([[], []])
    expect(asked.judge(request)).toEqual({
      transactionUID: '1.9',
      references: [object('1.1')],
      failures: [
        { ...object('1.2'), reason: status.classInstanceConflict },
        { ...object('1.3'), reason: status.noSuchInstance },
      ],
    })
    await asked.close()
  })

  it('waits for the same object of two devices until both were settled [P71]', async () => {
    for (const sender of ['CT', 'MR']) await spool.keep(sender, object('1.1'), bytes())
    await spool.keep('CT', object('1.1'), bytes())
    expect([spool.waiting, spool.waitingOf('CT')]).toEqual([2, 1])
    const [file = ''] = readdirSync(path.join(spool.folder, toFolderName('CT')))
    for (const left of [true, true]) {
      spool.settle(path.join(spool.folder, toFolderName('CT'), file), 'stored', undefined)
      expect(spool.isWaiting('1.1')).toBe(left)
    }
    spool.settle(path.join(spool.folder, toFolderName('MR'), file), 'refused', { reason: 'Too deep.' })
    expect([spool.isWaiting('1.1'), spool.waiting]).toEqual([false, 0])
  })

  it('can be said later to whom the settings have an address and a port, of so many objects at most [P71]', async () => {
    const asked = commitments()
    expect(asked.canReport('CT')).toBe(false)
    asked.use(toGateway({ aeTitle: 'DMP', port: 11112, partners }))
    expect(['CT', 'QUIET', 'NOBODY'].map((each) => asked.canReport(each))).toEqual([true, false, false])
    await spool.keep('CT', object('1.0'), bytes())
    const all = Array.from({ length: 199_999 }, () => object('1.0'))
    asked.keep('CT', { transactionUID: '1', references: all })
    expect(asked.canReport('CT')).toBe(true)
    asked.keep('CT', { transactionUID: '2', references: [object('1.0')] })
    expect(asked.canReport('CT')).toBe(false)
    await asked.close()
    expect(commitments().size).toBe(2)
  })

  it.each([
    ['6.9 days', 6.9, 1],
    ['7.1 days', 7.1, 0],
  ])('is waited for, after %s, %p as often, and not for ever [P71]', async (_what, days, count) => {
    mkdirSync(path.join(folder, 'commitments'))
    const at = Date.now() - days * 86_400_000
    const pending = { aeTitle: 'CT', at, transactionUID: '1', references: [object('1.0')] }
    writeFileSync(path.join(folder, 'commitments', 'a.json'), JSON.stringify(pending))
    writeFileSync(path.join(folder, 'commitments', 'cut.json'), '{"aeTi')
    await spool.keep('CT', object('1.0'), bytes())
    const asked = commitments()
    expect(asked.size).toBe(1)
    asked.look()
    await asked.close()
    expect([asked.size, readdirSync(path.join(folder, 'commitments')).length]).toEqual([count, count])
  })
})
