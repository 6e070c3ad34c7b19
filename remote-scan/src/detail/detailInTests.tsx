import { audit, scan } from '@dmp/contract'
import { aScan, aStudy, northClinic } from '@dmp/contract/examples'
import type { ScanRow } from '@dmp/contract/scan'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { App } from '../App.tsx'

const item = aScan()
/** The scan whose page is drawn. */
export const { studyUID, seriesUID } = item.advanced

export const draw = (...answers: readonly Line[]) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/detail/${northClinic.id}/${seriesUID}`,
    as: 'admin',
    answers: [
      answer(scan.get, item),
      answer(scan.listShares, []),
      answer(scan.listHolds, { rows: [], total: 0 }),
      answer(audit.listActivity, { rows: [], total: 0 }),
      ...answers,
    ],
  })

/** Its study, with these series. */
export const studies = (...series: readonly ScanRow[]) =>
  answer(scan.listStudies, { rows: [aStudy({ studyUID, series: [...series] })], total: 1 })
