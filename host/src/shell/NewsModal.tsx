import { DateText } from '@dmp/kit/screen'
import { Button, Modal } from '@dmp/kit/ui'
import { listNews } from './news.ts'

/** What is new, by day. */
export function NewsModal({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="What’s new" width={640} footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      {listNews().map(({ day, sentences }) => (
        <section key={day} className="dmp-news">
          <h2>
            <DateText value={day} format="short" />
          </h2>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      ))}
    </Modal>
  )
}
