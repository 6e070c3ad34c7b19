import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { limits, may, scan } from '@dmp/contract'
import type { ScanRow } from '@dmp/contract/scan'
import { dataWord, settings, useCan } from '@dmp/kit'
import { DataTable, type Column } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import { ShareModal, TransferModal } from '../shared/laterDialogs.tsx'
import { launch } from '../shared/launchApp.ts'
import { listKnownSaas } from '../shared/listKnownSaas.ts'
import { sayWhyNoView } from '../shared/sayWhyNoView.ts'
import { toSubject } from '../shared/scanSubject.ts'
import { SelectionBar } from '../shared/SelectionBar.tsx'
import { Thumbnail } from '../shared/Thumbnail.tsx'
import { UidText } from '../shared/UidText.tsx'
import { useTicked } from '../shared/useTicked.ts'
import { ScanFilters } from './ScanFilters.tsx'
import { TransfersSection } from './TransfersSection.tsx'

// 2.58; the columns after it are in the column chooser.
const columnsIn = (organizationId: string): Column<ScanRow>[] => [
  {
    title: 'Patient Name',
    field: 'patientName',
    link: true,
    render: (row) => (
      <span className="scan-name">
        <Thumbnail
          organizationId={organizationId}
          studyUID={row.studyUID}
          seriesUID={row.seriesUID}
          images={row.noOfImages}
        />{' '}
        <span>
          <bdi>{row.patientName || 'No name'}</bdi>
          <IdIfAlike row={row} />
        </span>
      </span>
    ),
  },
  // A date is not cut at its hyphens.
  { title: 'Acquisition Date', field: 'acqDate', type: 'date', width: 118 },
  { title: 'Description', field: 'seriesDescription' },
  { title: 'StudyUID', field: 'studyUID', copies: true, render: (row) => <UidText uid={row.studyUID} /> },
  { title: 'SeriesUID', field: 'seriesUID', copies: true, render: (row) => <UidText uid={row.seriesUID} /> },
  { title: 'Source', value: (row) => dataWord(row.source), sort: 'source' },
  { title: 'Slice Count', field: 'noOfImages' },
  {
    title: 'Compatible SaaS',
    value: (row) => listKnownSaas(row.compatibleSaas),
    type: 'badges',
    sort: 'compatibleSaas',
    width: 150,
  },
  { title: 'Patient ID', field: 'patientID', copies: true, hidden: true },
  { title: 'Modality', field: 'modality', hidden: true },
  { title: 'Upload Date', field: 'uploadDateTime', type: 'date', hidden: true },
]

/** On a narrow screen: whose it is, and what was made when. */
const toCard = (row: ScanRow): readonly string[] => {
  const { patientID, modality, description, date } = toSubject(row)
  return [patientID || 'No patient ID', [date, modality, description].filter(Boolean).join(' · ')]
}

/** Whose name also stands in the row of somebody else: the columns of 2.58 do not tell them apart. */
function findAlike(rows: readonly ScanRow[]): (row: ScanRow) => boolean {
  const named = Map.groupBy(rows, ({ patientName }) => patientName)
  return ({ patientName }) => new Set(named.get(patientName)?.map(({ patientID }) => patientID)).size > 1
}

/** Whether a row's name is not enough: other rows change it, so that its cell asks for itself. */
const Alike = createContext<(row: ScanRow) => boolean>(() => false)

function IdIfAlike({ row }: { row: ScanRow }) {
  const isAlike = useContext(Alike)(row)
  return isAlike && <bdi className="scan-name-id">{row.patientID || 'No patient ID'}</bdi>
}

// 2.58: still being built, so there is nothing to open.
const isBuilt = (row: ScanRow): boolean => Boolean(row.imageSetID)

/** The scans of one organization. */
export function ScanTable({
  organizationId,
  toolbar,
  empty,
}: {
  organizationId: string
  toolbar?: ReactNode
  empty?: ReactNode
}) {
  const [selected, setSelected] = useTicked<ScanRow>(organizationId)
  const [shown, setShown] = useState<readonly ScanRow[]>([])
  const [isTransferring, setTransferring] = useState(false)
  const [shared, setShared] = useState<ScanRow>()
  const mayShare = useCan(may('Scan', 'Share'))
  const mayTransfer = useCan(scan.transfer)
  const columns = useMemo(() => columnsIn(organizationId), [organizationId])
  const isAlike = useMemo(() => findAlike(shown), [shown])
  const [only] = selected
  const chosen = selected.length === 1 ? only : undefined
  const whyNoView = chosen && sayWhyNoView({ imageSetID: chosen.imageSetID, images: chosen.noOfImages })

  function view(row: ScanRow | undefined) {
    if (row?.imageSetID) launch('viewer', { ...row, imageSetID: row.imageSetID, organizationId })
  }

  const buttons = (
    <>
      {toolbar}
      <ScanFilters />
      <Button disabled={!chosen || whyNoView !== undefined} title={whyNoView} onClick={() => view(only)}>
        View
      </Button>
      {mayTransfer && (
        <Button disabled={selected.length === 0} onClick={() => setTransferring(true)}>
          Batch Transfer
        </Button>
      )}
    </>
  )
  return (
    <>
      <Alike value={isAlike}>
        <DataTable
          endpoint={scan.list}
          input={{ organizationId }}
          columns={columns}
          label="Scans"
          rowKey={(row) => row.seriesUID}
          rowLink={(row) => `/scan/detail/${organizationId}/${row.seriesUID}`}
          rowCommands={[
            { label: 'View the images', keys: ['e'], run: (row) => row.noOfImages !== 0 && view(row) },
            ...(mayShare ? [{ label: 'Share', keys: ['s'], run: setShared }] : []),
          ]}
          card={toCard}
          keepRow={isBuilt}
          searchField="query"
          searchInUrl={!settings().hideScanSearch}
          searchDelay={limits.scanSearchDebounceMs}
          selection={{
            selected: selected.map((row) => row.seriesUID),
            // Those that were ticked before somebody came Back are on no page that this table has shown.
            onChange: (keys, rows) =>
              setSelected(
                keys.flatMap((key) => [...rows, ...selected].find(({ seriesUID }) => seriesUID === key) ?? []),
              ),
          }}
          onRows={setShown}
          toolbar={buttons}
          empty={empty}
        />
      </Alike>
      <SelectionBar
        selected={selected.map(toSubject)}
        inView={new Set(shown.map((row) => row.seriesUID))}
        onChange={(keys) => setSelected(selected.filter((row) => keys.includes(row.seriesUID)))}
      />
      {mayTransfer && <TransfersSection />}
      {shared && (
        <ShareModal organizationId={organizationId} seriesUID={shared.seriesUID} onClose={() => setShared(undefined)} />
      )}
      {isTransferring && (
        <TransferModal
          organizationId={organizationId}
          rows={selected}
          onClose={() => setTransferring(false)}
          onStarted={() => {
            setTransferring(false)
            setSelected([])
          }}
        />
      )}
    </>
  )
}
