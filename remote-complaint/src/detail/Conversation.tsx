import { personName } from '@dmp/kit'
import { complaint, limits } from '@dmp/contract'
import { SchemaForm, TextAreaField } from '@dmp/kit/form'
import { DateText, Section } from '@dmp/kit/screen'
import { useState } from 'react'

/** What its writer and those who handle it say to each other about a complaint; nobody else sees it. */
export function Conversation({ id, care }: { id: string; care: complaint.ComplaintCare }) {
  const { messages, mayWrite } = care
  const [sent, setSent] = useState(0)
  if (!mayWrite) return null
  return (
    <Section title="Conversation">
      {messages.length === 0 && (
        <p className="complaint-care-text">
          No messages yet. Only whoever made this complaint and those who handle it see what is written here.
        </p>
      )}
      <ol className="complaint-messages" aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id} data-writer={message.isFromWriter || undefined}>
            <p className="complaint-message-head">
              <strong>{personName(message.createdByUser)}</strong>{' '}
              <DateText value={message.createdDate} format="moment" />
            </p>
            <p className="complaint-message-text" dir="auto">
              {message.text}
            </p>
          </li>
        ))}
      </ol>
      {/* The key empties the field after a message. */}
      <SchemaForm
        key={sent}
        schema={complaint.ComplaintAnswer}
        defaults={{}}
        call={complaint.addMessage}
        input={{ id }}
        submitLabel="Send"
        onDone={() => setSent(sent + 1)}
      >
        <TextAreaField name="text" label="Message" max={limits.complaintMessageMaxChars} rows={3} />
      </SchemaForm>
    </Section>
  )
}
