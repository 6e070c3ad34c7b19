/** Outlines on a 24 × 24 grid, by the icon class that a declaration names (3.18). */
const outlines: Readonly<Record<string, string>> = {
  'fa-gauge': 'M4 18a9 9 0 1 1 16 0M12 14l4-5M12 14a1.5 1.5 0 1 0 .01 0',
  'fa-comment-dots': 'M4 5h16v11H10l-5 4v-4H4zM8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01',
  'fa-building': 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h.01M11 8h.01M8 12h.01M11 12h.01M8 16h.01M11 16h.01',
  'fa-clipboard-list': 'M8 5H5v16h14V5h-3M9 3h6v4H9zM9 12h6M9 16h6',
  'fa-x-ray': 'M4 4h16v16H4zM12 7v10M8.5 9.5c1-.8 6-.8 7 0M8 12.5c1.2-.8 6.8-.8 8 0M8.5 15.5c1-.8 6-.8 7 0',
  'fa-users':
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3.5 19c0-3 2.4-5 5.5-5s5.5 2 5.5 5M16 11a2.5 2.5 0 1 0-1-4.8M17 14c2.2.4 3.5 2.2 3.5 5',
  'fa-user': 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20c.5-3.5 3.5-5.5 7.5-5.5s7 2 7.5 5.5',
  'fa-shield-halved': 'M12 3l7 2.5V11c0 5-3 8-7 10-4-2-7-5-7-10V5.5zM12 3v18',
  'fa-tower-broadcast':
    'M12 13v8M9 21h6M12 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7.8 15.2a6 6 0 0 1 0-8.4M16.2 6.8a6 6 0 0 1 0 8.4M5 18a10 10 0 0 1 0-14M19 4a10 10 0 0 1 0 14',
  'fa-server': 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01M12 8h4M12 16h4',
  'fa-desktop': 'M3 4h18v12H3zM9 20h6M12 16v4',
  'fa-key': 'M15 13a4.5 4.5 0 1 0-4.2-2.8L4 17v3h3v-2h2v-2h2l2.2-2.2M15.8 8.2h.01',
  'fa-layer-group': 'M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  'fa-clock-rotate-left': 'M4.5 8.5A8.5 8.5 0 1 1 3.5 13M4 4v5h5M12 8v5l3.5 2',
  'fa-list-check': 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M11 6h9M11 12h9M11 18h9',
}
const unknownOutline = 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z'

/** A module's icon, with one icon for all classes that this host does not know. */
export function ModuleIcon({ fontAwesomeClass }: { fontAwesomeClass: string }) {
  const knownClass = fontAwesomeClass.split(' ').find((name) => name in outlines)
  return (
    <svg className="dmp-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={knownClass === undefined ? unknownOutline : outlines[knownClass]} />
    </svg>
  )
}
