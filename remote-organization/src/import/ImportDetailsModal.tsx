import type { ImportedRecords, ImportRefusal, OrganizationImport } from '@dmp/contract/organization'
import { formatNumber } from '@dmp/kit'
import { Button, Modal } from '@dmp/kit/ui'
import { toCounts } from './sentences.ts'

const kinds: Readonly<Record<ImportedRecords['kind'], string>> = {
  people: 'People, who are deactivated until somebody activates them',
  complaints: 'Complaints, kept as records of elsewhere',
  links: 'Links, which open nothing any more',
  audit: 'Audit events, kept as records of elsewhere',
  imported: 'Records that the other organization had imported',
}

/** What became of each part of an archive. */
export function ImportDetailsModal({ item, onClose }: { item: OrganizationImport; onClose: () => void }) {
  return (
    <Modal open title="Result of the import" onCancel={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className="organization-import-details">
        <p>{toCounts(item)}</p>
        {item.refusals.map((refusal) => (
          <Refusal key={refusal.reason} refusal={refusal} />
        ))}
        {item.files.length > 0 && <FileNames names={item.files} />}
        {item.records.length > 0 && (
          <ul>
            {item.records.map((records) => (
              <li key={records.kind}>
                {kinds[records.kind]}: {formatNumber(records.added)} added, {formatNumber(records.present)} were there
                already, {formatNumber(records.refused)} refused. {records.sentences.join(' ')}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  )
}

const Refusal = ({ refusal: { count, sentence, examples } }: { refusal: ImportRefusal }) => (
  <div>
    <p>
      {formatNumber(count)} refused: {sentence}
    </p>
    <FileNames names={examples} />
  </div>
)

const FileNames = ({ names }: { names: readonly string[] }) => (
  <ul className="organization-import-files">
    {names.map((name) => (
      <li key={name} dir="ltr">
        {name}
      </li>
    ))}
  </ul>
)
