import { Admission } from './admission.ts'
import { toGateway } from './gatewaySettings.ts'

const fingerprint = 'AB'.repeat(32)
const settings = (...partners: object[]) => toGateway({ aeTitle: 'DMP_GATEWAY', port: 11112, partners })!
const own = settings(
  { aeTitle: 'ANYWHERE' },
  { aeTitle: 'AT_HOME', address: '10.0.0.7' },
  { aeTitle: 'MAPPED', address: '::ffff:10.0.0.8' },
  { aeTitle: 'KNOWN', fingerprint },
)
const from = (address = '10.0.0.7', shown?: string) => ({ address, fingerprint: shown })
const asks = (callingTitle: string, calledTitle = 'DMP_GATEWAY') => ({ callingTitle, calledTitle })

it.each([
  [asks('ANYWHERE'), from('10.9.9.9'), undefined, undefined],
  [asks('AT_HOME'), from(), undefined, undefined],
  [asks('AT_HOME'), from('10.0.0.8'), 'callingTitle', 'WrongAddress'],
  [asks('MAPPED'), from('10.0.0.8'), undefined, undefined],
  [asks('KNOWN'), from('10.9.9.9', fingerprint), undefined, undefined],
  [asks('KNOWN'), from('10.9.9.9', 'CD'.repeat(32)), 'callingTitle', 'WrongCertificate'],
  [asks('KNOWN'), from('10.9.9.9'), 'callingTitle', 'WrongCertificate'],
  [asks('NOBODY'), from(), 'callingTitle', 'Unknown'],
  [asks('ANYWHERE', 'OTHER'), from(), 'calledTitle', 'WrongTitle'],
  // What is no title is refused, and not shown to anybody.
  [asks('x'.repeat(17)), from(), 'callingTitle', undefined],
  [asks('NOBODY', ''), from(), 'callingTitle', undefined],
])(
  'whoever asks as %j from %j is let in, or refused as %s and listed as %s [P71]',
  (request, place, refused, reason) => {
    const admission = new Admission()
    expect(admission.judge(own, request, place)).toBe(refused)
    expect(admission.callers.map((caller) => caller.reason)).toEqual(reason === undefined ? [] : [reason])
  },
)

it('who was refused is listed once for each place, the newest first and fifty of them, until the settings let it in [P71]', () => {
  const admission = new Admission()
  for (let at = 0; at < 51; at += 1) admission.judge(own, asks(`CT${at}`), from())
  expect([admission.callers.length, admission.callers[0]?.aeTitle, admission.callers.at(-1)?.aeTitle]).toEqual([
    50,
    'CT50',
    'CT1',
  ])
  for (const place of [from(), from(), from('10.0.0.9')]) admission.judge(own, asks('CT1'), place)
  expect(admission.callers.slice(0, 2).map(({ aeTitle, address, times }) => [aeTitle, address, times])).toEqual([
    ['CT1', '10.0.0.9', 1],
    ['CT1', '10.0.0.7', 3],
  ])
  admission.forget(undefined)
  expect(admission.callers.filter(({ aeTitle }) => aeTitle === 'CT1')).toHaveLength(2)
  admission.forget(settings({ aeTitle: 'CT1', address: '10.0.0.7' }))
  expect(admission.callers.filter(({ aeTitle }) => aeTitle === 'CT1').map(({ address }) => address)).toEqual([
    '10.0.0.9',
  ])
})
