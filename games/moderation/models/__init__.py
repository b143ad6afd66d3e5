"""What moderation stores: one file per noun."""

from games.moderation.models.appeal import Appeal
from games.moderation.models.audit_row import AuditRow
from games.moderation.models.case import Case, Note
from games.moderation.models.examination import Examination
from games.moderation.models.letter import Letter
from games.moderation.models.report import Report
from games.moderation.models.signal import Signal

__all__ = ["Appeal", "AuditRow", "Case", "Examination", "Letter", "Note", "Report", "Signal"]
