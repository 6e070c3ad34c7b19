import { scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { ultrasound } from '../modules/scan/held/heldInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const organizationId = northClinic.id

story('Pictures with burned-in names wait until somebody has looked', import.meta.url, async (teller) => {
  const { does, later, step, people, server } = teller
  const { admin, south } = people
  await step('North has two series of pictures.', () =>
    stow(server, admin, [ultrasound('1.97.1', 1), ultrasound('1.97.1', 2), ultrasound('1.97.2', 1)]),
  )
  await later(30)
  const send = (...series: readonly string[]) => ({
    organizationId,
    dstOrganizationName: southClinic.name,
    anonymize: true,
    scans: series.map((seriesUID) => ({ studyUID: `${seriesUID}.0`, seriesUID })),
  })
  await does(admin, scan.transfer, send('1.97.1', '1.97.2'))
  // By chance, UIDs of copies would be shorter now and then, and the copies as well.
  await server.deps.db
    .updateTable('transfers')
    .set({ secret: Buffer.alloc(32, 7) })
    .execute()
  const { data: held } = await does(admin, scan.listHeld, { page: 1, pageSize: 5, sort: 'pictures', direction: 'desc' })
  const [{ id = '' } = {}, { id: other = '' } = {}] = held
  await does(south, scan.listHeld, {}, { title: 'South waits for none.' })
  const { data: detail } = await does(admin, scan.getHeld, { id })
  const nothing = { masks: [], leftOut: [], isSeenElsewhere: false }
  const { revision } = detail
  await does(admin, scan.decideHeld, { id, decision: 'Send', revision, ...nothing }, { title: 'Before a look.' })
  const [firstUID = '', secondUID = ''] = ['1.97.1.1', '1.97.1.2']
  await does(admin, scan.getHeldPicture, { id, instanceUID: firstUID, frame: 1 })
  await does(admin, scan.getHeldPicture, { id, instanceUID: firstUID, frame: 2 }, { title: 'A frame too many.' })
  const masks = [{ rows: 8, columns: 8, rectangles: [{ x: 1, y: 2, width: 3, height: 4 }] }]
  await does(admin, scan.saveHeldChoice, { id, masks, leftOut: [secondUID] })
  await does(admin, scan.getHeld, { id }, { title: 'The choice is kept.' })
  const chosen = { ...nothing, masks, leftOut: [secondUID] }
  await does(admin, scan.decideHeld, { id, decision: 'Send', revision, ...chosen })
  await does(admin, scan.decideHeld, { id, decision: 'Send', revision, ...chosen }, { title: 'Once more.' })
  const { data: last } = await does(admin, scan.getHeld, { id: other }, { title: 'The other one.' })
  const leave = { id: other, decision: 'LeaveOut', revision: last.revision, ...nothing }
  await does(admin, scan.decideHeld, leave, { title: 'It is left out.' })
  await does(admin, scan.listTransfers, {})
  await later(60)
})
