// report: a table that can be sorted by its heads. Also the twin of every figure.
import { add, Child, h } from './dom';

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
    if (caption !== undefined) this.caption.textContent = caption;
    this.draw();
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

  private draw(): void {
    const rows = [...this.rows];
    const key = this.sorted === null ? undefined : this.options.columns[this.sorted].sort;
    if (key) {
      const sign = this.descending ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
      });
    }
    this.heads.forEach((head, index) => {
      if (!this.options.columns[index].sort) return;
      head.setAttribute('aria-sort', index !== this.sorted ? 'none' : this.descending ? 'descending' : 'ascending');
    });
    this.body.replaceChildren(...rows.map((row) => this.row(row)));
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
