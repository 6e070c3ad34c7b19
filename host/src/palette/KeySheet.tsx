import { areKeysOn, dataWord, listKeys, toKeyCaps, writeKeys, type KeyCommand } from '@dmp/kit'
import { Button, Checkbox, Modal } from '@dmp/kit/ui'
import { useState } from 'react'
import './palette.css'

/** All keys that are valid on this page, and the switch that turns single ones off (WCAG 2.1.4). */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const [groups] = useState(() => groupKeys(listKeys()))
  const [isOn, setOn] = useState(areKeysOn)
  const change = (next: boolean) => {
    writeKeys(next)
    setOn(next)
  }
  return (
    <Modal
      open
      title="Keyboard shortcuts"
      className="dmp-keys"
      width={720}
      footer={<Button onClick={onClose}>Close</Button>}
      onCancel={onClose}
    >
      <div className="dmp-key-groups">
        {groups.map(({ group, lines }) => (
          <section key={group} aria-label={dataWord(group)}>
            <h2>{dataWord(group)}</h2>
            <dl>
              {lines.map(({ label, keys }) => (
                <div key={label}>
                  <dt>
                    {keys.map((key, at) => (
                      <span key={key}>
                        {at > 0 && ' or '}
                        <bdi dir="ltr">
                          {toKeyCaps(key).map((cap) => (
                            <kbd key={cap}>{cap}</kbd>
                          ))}
                        </bdi>
                      </span>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox checked={isOn} onChange={(event) => change(event.target.checked)}>
        Single-key shortcuts
      </Checkbox>
      <p className="dmp-quiet">
        Turn them off if you dictate or press keys by accident. {toKeyCaps('Mod+k')}, arrows and Enter keep working.
        Your profile has the same switch.
      </p>
    </Modal>
  )
}

interface KeyGroup {
  readonly group: string
  readonly lines: { readonly label: string; readonly keys: readonly string[] }[]
}

/** Commands with one label stand together; of a key that two have, the first has it. */
function groupKeys(commands: readonly KeyCommand[]): readonly KeyGroup[] {
  const taken = new Set<string>()
  const groups = new Map<string, Map<string, string[]>>()
  for (const { group, label, keys } of commands) {
    const free = keys.filter((key) => !taken.has(key))
    for (const key of free) taken.add(key)
    if (free.length === 0) continue
    const lines = groups.get(group) ?? new Map<string, string[]>()
    groups.set(group, lines)
    lines.set(label, [...(lines.get(label) ?? []), ...free])
  }
  // What every page has stands last.
  return [...groups]
    .map(([group, lines]) => ({ group, lines: [...lines].map(([label, keys]) => ({ label, keys })) }))
    .toSorted((a, b) => generalGroups.indexOf(a.group) - generalGroups.indexOf(b.group))
}

const generalGroups = ['Go to', 'Everywhere']
