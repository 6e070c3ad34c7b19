import { apiToken, exact, limits } from '@dmp/contract'
import { UserCode, type Device } from '@dmp/contract/apiToken'
import { call } from '@dmp/kit'
import { SchemaForm, TextField } from '@dmp/kit/form'
import { Section } from '@dmp/kit/screen'

const CodeForm = exact({ code: UserCode })

interface CodeSectionProps {
  /** From the address; nothing is asked before the person goes on. */
  readonly code: string
  readonly onFound: (code: string, device: Device) => void
}

export function CodeSection({ code, onFound }: CodeSectionProps) {
  return (
    <Section title="Code of the machine">
      <p className="device-note">
        A machine that asks for an API token, such as the uploader, shows a code of eight letters. Go on if the code
        below is the one that you see there.
      </p>
      <SchemaForm
        schema={CodeForm}
        defaults={{ code: code.slice(0, 2 * limits.userCodeChars) }}
        call={({ code: typed }) => call(apiToken.getDevice, { code: typed })}
        submitLabel="Continue"
        draft={false}
        onDone={(device, { code: typed }) => onFound(typed, device)}
      >
        <TextField
          name="code"
          label="Code"
          max={2 * limits.userCodeChars}
          placeholder="BCDF-GHJK"
          help="Small or capital letters, with or without the hyphen."
          autoFocus
        />
      </SchemaForm>
    </Section>
  )
}
