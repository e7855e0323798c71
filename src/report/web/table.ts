// report: a table that can be sorted by its heads. Also the twin of every figure.
import { add, Child, count, h, plural } from './dom';

// More rows than these are made when they are asked for: a program of 2,000 events has as many decisions, and making and laying out all of
// their rows took most of the time in which the page opened.
const mostAtOnce = 200;

export interface Column<Row> {
  title: string;
  cell: (row: Row) => Child | Child[];
  sort?: (row: Row) => number | string;
  numeric?: boolean;
  className?: string;
}

export interface TableOptions<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  sortBy?: number; // column that the rows come sorted by
  descending?: boolean;
  rowId?: (row: Row) => string;
  empty?: string;
}

export class Table<Row> {
  readonly element: HTMLTableElement;
  private readonly body = h('tbody', { role: 'rowgroup' });
  private readonly caption = h('caption');
  private readonly heads: HTMLTableCellElement[];
  private sorted: number | null;
  private descending: boolean;
  private readonly made = new Map<Row, HTMLTableRowElement>();
  private rows: Row[];
  private shown = mostAtOnce;

  constructor(private readonly options: TableOptions<Row>) {
    this.rows = options.rows;
    this.sorted = options.sortBy ?? null;
    this.descending = options.descending ?? false;
    this.heads = options.columns.map((column, index) => this.head(column, index));
    // The roles are said again: laid out as blocks on a narrow screen, a table would lose them.
    this.element = h(
      'table',
      { role: 'table' },
      this.caption,
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...this.heads)),
      this.body,
    );
    this.show(options.rows, options.caption);
  }

  show(rows: Row[], caption?: string): void {
    this.rows = rows;
    this.shown = mostAtOnce;
    if (caption !== undefined) this.caption.textContent = caption;
    this.draw();
  }

  // The row is made, if it is one of those that are shown on demand. False: it is not in the table now.
  reveal(row: Row): boolean {
    const at = this.sortedRows().indexOf(row);
    if (at >= this.shown) {
      this.shown = at + mostAtOnce;
      this.draw();
    }
    return at >= 0;
  }

  private head(column: Column<Row>, index: number): HTMLTableCellElement {
    const attributes = { scope: 'col', role: 'columnheader', class: column.numeric ? 'number' : column.className };
    if (!column.sort) return h('th', attributes, column.title);
    return h(
      'th',
      attributes,
      h(
        'button',
        { type: 'button', class: 'sort', click: () => this.sortBy(index) },
        column.title,
        h('span', { 'class': 'arrow', 'aria-hidden': 'true' }),
      ),
    );
  }

  private sortBy(index: number): void {
    const numeric = this.options.columns[index].numeric ?? false;
    this.descending = this.sorted === index ? !this.descending : numeric;
    this.sorted = index;
    this.draw();
  }

  private sortedRows(): Row[] {
    const rows = [...this.rows];
    const key = this.sorted === null ? undefined : this.options.columns[this.sorted].sort;
    if (key) {
      const sign = this.descending ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
      });
    }
    return rows;
  }

  private draw(): void {
    const rows = this.sortedRows();
    this.heads.forEach((head, index) => {
      if (!this.options.columns[index].sort) return;
      head.setAttribute('aria-sort', index !== this.sorted ? 'none' : this.descending ? 'descending' : 'ascending');
    });
    this.body.replaceChildren(...rows.slice(0, this.shown).map((row) => this.row(row)));
    if (rows.length > this.shown) this.body.append(this.more(rows.length - this.shown));
    if (rows.length === 0)
      this.body.append(
        h(
          'tr',
          { role: 'row' },
          h(
            'td',
            { role: 'cell', class: 'empty', colspan: this.heads.length },
            this.options.empty ?? 'Nothing to show.',
          ),
        ),
      );
  }

  private more(left: number): HTMLTableRowElement {
    const next = Math.min(left, mostAtOnce);
    const show = (): void => {
      const first = this.shown;
      this.shown += next;
      this.draw();
      // The button is gone, and whoever used the keyboard goes on at the first new row.
      const row = this.body.children[first] as HTMLElement;
      row.setAttribute('tabindex', '-1');
      row.focus();
    };
    return h(
      'tr',
      { role: 'row', class: 'more' },
      h(
        'td',
        { role: 'cell', colspan: this.heads.length },
        `${plural(left, 'row')} more. `,
        h('button', { type: 'button', click: show }, `Show ${count(next)} of them`),
      ),
    );
  }

  private row(row: Row): HTMLTableRowElement {
    const known = this.made.get(row);
    if (known) return known;
    const element = h('tr', { role: 'row', id: this.options.rowId?.(row) });
    for (const column of this.options.columns) {
      const cell = h('td', {
        'role': 'cell',
        'data-title': column.title,
        'class': column.numeric ? 'number' : column.className,
      });
      const content = column.cell(row);
      add(cell, Array.isArray(content) ? content : [content]);
      element.append(cell);
    }
    this.made.set(row, element);
    return element;
  }
}

// Wide tables scroll in a frame of their own, which the keyboard reaches.
export function scrolling(label: string, table: HTMLElement): HTMLElement {
  return h('div', { 'class': 'scroll', 'tabindex': 0, 'role': 'group', 'aria-label': label }, table);
}
