import { Link } from '@dmp/kit/router'
import { useState } from 'react'
import { Progress } from './basics.tsx'
import { Button } from './Button.tsx'
import { Modal } from './Modal.tsx'
import { isRunning, tasks, useTasks, type TaskAction } from './tasks.ts'

/** Long-running tasks at a glance, for the top bar; draws nothing without tasks. */
export function TaskTray() {
  const [isOpen, setIsOpen] = useState(false)
  const list = useTasks()
  const [first] = list
  if (!first) return null
  const running = list.filter(isRunning)
  const percent =
    running.length === 0 ? 100 : Math.floor(running.reduce((sum, task) => sum + task.percent, 0) / running.length)
  return (
    <>
      <Button type="text" onClick={() => setIsOpen(true)}>
        Tasks {running.length > 0 ? `${percent}%` : list.some(({ state }) => state === 'failed') ? '!' : '✓'}
      </Button>
      {isOpen && (
        <Modal open title="Tasks" footer={null} onCancel={() => setIsOpen(false)}>
          <ul className="dmp-tasks">
            {[...running, ...list.filter((task) => !isRunning(task))].map((task) => (
              <li key={task.id}>
                <Link to={task.url} onClick={() => setIsOpen(false)}>
                  {task.title}
                </Link>
                <span className="dmp-task-actions">
                  {task.action && <ActionButton {...task.action} title={task.title} />}
                  {!isRunning(task) && (
                    <Button
                      type="text"
                      size="small"
                      aria-label={`Dismiss ${task.title}`}
                      onClick={() => tasks.dismiss(task.id)}
                    >
                      Dismiss
                    </Button>
                  )}
                </span>
                <Progress
                  percent={task.percent}
                  size="small"
                  aria-label={task.title}
                  status={task.state === 'failed' ? 'exception' : 'normal'}
                />
                {task.note && <p>{task.note}</p>}
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </>
  )
}

function ActionButton({ label, onAct, title }: TaskAction & { title: string }) {
  const [isBusy, setIsBusy] = useState(false)
  const act = () => {
    setIsBusy(true)
    void onAct().finally(() => setIsBusy(false))
  }
  return (
    <Button size="small" loading={isBusy} aria-label={`${label}: ${title}`} onClick={act}>
      {label}
    </Button>
  )
}
